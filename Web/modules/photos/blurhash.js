// Draws the blurred preview of a photo, after the description of the format at https://blurha.sh.
//
// The text is digits to the base of 83. The first is the number of waves across and down, the second the
// largest of their amplitudes, four give the mean colour, and two each a wave's three amplitudes, from -9 to 9, of
// which the square is meant. A pixel is the sum of all cosine waves there, in linear light.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

function number(text) {
  let value = 0;
  for (const digit of text) value = value * 83 + DIGITS.indexOf(digit);
  return value;
}

const toLinear = (byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const toByte = (linear) => {
  const value = Math.max(0, Math.min(1, linear));
  return Math.round(255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055));
};

// The waves as {across, waves: [[r, g, b]…]}, or undefined when the text is not a BlurHash.
function readBlurhash(text) {
  if (text.length < 6 || [...text].some((digit) => !DIGITS.includes(digit))) return undefined;
  const size = number(text[0]);
  const across = (size % 9) + 1;
  const down = Math.floor(size / 9) + 1;
  if (down > 9 || text.length !== 4 + 2 * across * down) return undefined;
  const largest = (number(text[1]) + 1) / 166;
  const mean = number(text.slice(2, 6));
  const waves = [[mean >> 16, (mean >> 8) & 255, mean & 255].map(toLinear)];
  for (let at = 6; at < text.length; at += 2) {
    const value = number(text.slice(at, at + 2));
    const steps = [Math.floor(value / 361), Math.floor(value / 19) % 19, value % 19];
    waves.push(steps.map((step) => Math.sign(step - 9) * ((step - 9) / 9) ** 2 * largest));
  }
  return { across, waves };
}

// Fills a canvas; returns whether there was something to draw.
export function drawBlurhash(canvas, text) {
  const hash = readBlurhash(text);
  if (!hash) return false;
  const { width, height } = canvas;
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) image.data.set(pixel(hash, x / width, y / height), (y * width + x) * 4);
  }
  pen.putImageData(image, 0, 0);
  return true;
}

function pixel({ across, waves }, x, y) {
  const sum = [0, 0, 0];
  waves.forEach((wave, index) => {
    const weight = Math.cos(Math.PI * x * (index % across)) * Math.cos(Math.PI * y * Math.floor(index / across));
    for (let colour = 0; colour < 3; colour += 1) sum[colour] += wave[colour] * weight;
  });
  return [...sum.map(toByte), 255];
}
