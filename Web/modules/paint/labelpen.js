// Writes labels of the map, whatever they are: names, shields with the numbers of roads, arrows, marks.
import { iconPath } from "./mapstyle.js";

// Of the disc of a mark, and of the drawing in it.
const RADIUS = 8.5;
const DRAWING = 11;

export function writeLabel(pen, label, x, y, colour) {
  pen.save();
  pen.translate(x, y);
  if (label.dot) dot(pen, colour);
  if (label.peak) peak(pen, colour);
  if (label.icon) disc(pen, label, colour);
  if (label.shield) shield(pen, label, colour);
  if (label.arrow) arrow(pen, label, colour);
  else if (label.text) words(pen, label, colour);
  pen.restore();
}

function words(pen, label, colour) {
  pen.translate(0, label.below ?? 0);
  pen.rotate(label.angle ?? 0);
  pen.font = label.font;
  pen.letterSpacing = label.spacing ?? "0px";
  pen.lineWidth = 3.5;
  pen.strokeStyle = colour[label.halo ?? "halo"];
  pen.fillStyle = colour[label.ink];
  const lines = label.lines ?? [label.text];
  lines.forEach((line, index) => {
    const y = index * (label.leading ?? 0);
    if (!label.shield) pen.strokeText(line, 0, y);
    pen.fillText(line, 0, y);
  });
}

function dot(pen, colour) {
  pen.beginPath();
  pen.arc(0, 0, 2.3, 0, 7);
  pen.fillStyle = colour.halo;
  pen.fill();
  pen.lineWidth = 1.4;
  pen.strokeStyle = colour.town;
  pen.stroke();
}

function peak(pen, colour) {
  pen.beginPath();
  pen.moveTo(0, -4.5);
  pen.lineTo(4.5, 3.5);
  pen.lineTo(-4.5, 3.5);
  pen.closePath();
  pen.lineWidth = 2.5;
  pen.strokeStyle = colour.halo;
  pen.stroke();
  pen.fillStyle = colour.peak;
  pen.fill();
}

function disc(pen, { icon, ink }, colour) {
  pen.beginPath();
  pen.arc(0, 0, RADIUS, 0, 7);
  pen.fillStyle = colour[ink];
  pen.fill();
  pen.lineWidth = 1.5;
  pen.strokeStyle = colour.disc;
  pen.stroke();
  pen.save();
  pen.scale(DRAWING / 24, DRAWING / 24);
  pen.translate(-12, -12);
  pen.lineWidth = 2.4;
  pen.stroke(iconPath(icon));
  pen.restore();
}

function shield(pen, { width, shield: kind }, colour) {
  pen.beginPath();
  pen.roundRect(-width / 2 - 4, -7, width + 8, 14, 3);
  pen.fillStyle = colour[kind === "main" ? "mainshield" : "shield"];
  pen.fill();
  pen.lineWidth = 1;
  pen.strokeStyle = colour[kind === "main" ? "disc" : "shieldedge"];
  pen.stroke();
}

function arrow(pen, { angle }, colour) {
  pen.rotate(angle);
  pen.beginPath();
  pen.moveTo(-5, 0);
  pen.lineTo(4, 0);
  pen.moveTo(1.2, -2.6);
  pen.lineTo(4.4, 0);
  pen.lineTo(1.2, 2.6);
  pen.lineWidth = 1.3;
  pen.strokeStyle = colour.arrow;
  pen.stroke();
}
