// The settings of the heap of all programs; see Docs/Decisions/0026.
#pragma once

extern const char *malloc_conf;
