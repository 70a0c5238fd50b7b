"""What each time of day does to the sky and to everything under it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Light:
    """`sky` from top to horizon; `white` is how a white wall looks; `sun` is (x, y, radius, colour)."""

    sky: tuple
    white: str
    sun: tuple
    far: str
    ground: str
    water: tuple
    cloud: str
    dark: bool = False
    snow: bool = False
    aurora: bool = False


LIGHTS = {
    "dawn": Light(("#5b6fa8", "#c98fa6", "#f7b996", "#fde3b8"), "#ffe6d8", (300, 430, 62, "#fff1cf"),
                  "#a98bab", "#8f9b7c", ("#d9a3a4", "#7a86b0"), "#fbd3c4"),
    "day": Light(("#3f8fc6", "#7cbde0", "#c5e4ee", "#f1f6e6"), "#ffffff", (250, 146, 46, "#fff6cf"),
                 "#9dbccb", "#8fae6f", ("#7fbcd6", "#3f86ac"), "#ffffff"),
    "golden": Light(("#5f86b8", "#a9b6c2", "#f3c98a", "#ffe3a3"), "#ffe9c4", (240, 330, 66, "#fff3c8"),
                    "#b9a48f", "#a0a561", ("#e6c088", "#6f93ab"), "#fff0d2"),
    "dusk": Light(("#26305f", "#6a4b8a", "#d3698a", "#ffb27a"), "#d9b8cc", (880, 440, 74, "#ffd79a"),
                  "#6a5488", "#5a5570", ("#d27f86", "#3b3f74"), "#c98aa6", dark=True),
    "night": Light(("#0a1233", "#142452", "#27407c", "#4a639d"), "#93a3d0", (270, 130, 40, "#f7f1d0"),
                   "#22366b", "#2b3a5c", ("#2d4784", "#101c44"), "#32487f", dark=True),
    "winter": Light(("#7fa9cc", "#b3cde0", "#dfe7ec", "#f9e9da"), "#f4f6ff", (280, 380, 50, "#fff6e2"),
                    "#b6c4d4", "#eef3f8", ("#b9cfdd", "#86a8c0"), "#ffffff", snow=True),
    "aurora": Light(("#071029", "#0e2145", "#16395a", "#3a6a7d"), "#93aacb", (236, 112, 30, "#f4f1dc"),
                    "#1c3a58", "#cfdbe8", ("#1e4860", "#0c1f3c"), "#28486a", dark=True, snow=True, aurora=True),
}
