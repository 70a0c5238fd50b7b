class Failure(Exception):
    """Why nothing can be measured, in a sentence for people."""
