// Reads protobuf messages, as far as vector tiles need them: numbers, and bytes with their length. What is damaged
// throws a RangeError.
const TEXT = new TextDecoder();

export class Pbf {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  // Calls `body` with the number of each field; it reads the value, or it is skipped.
  fields(body) {
    while (this.at < this.end) {
      const key = this.number();
      const start = this.at;
      body(key >>> 3);
      if (this.at === start) this.skip(key & 7);
    }
  }

  // Below 2^53; what is greater is not exact.
  number() {
    let value = 0;
    let scale = 1;
    for (;;) {
      if (this.at >= this.end || scale > 2 ** 63) throw new RangeError("a number has no end");
      const byte = this.bytes[this.at];
      this.at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }

  // A message or a list within this one.
  inner() {
    const length = this.number();
    const start = this.at;
    if (length > this.end - start) throw new RangeError("a field ends behind its message");
    this.at += length;
    return new Pbf(this.bytes, start, this.at);
  }

  text() {
    const { at, end } = this.inner();
    return TEXT.decode(this.bytes.subarray(at, end));
  }

  numbers() {
    const list = this.inner();
    const found = [];
    while (list.at < list.end) found.push(list.number());
    return found;
  }

  skip(kind) {
    if (kind === 0) this.number();
    else if (kind === 1) this.at += 8;
    else if (kind === 2) this.inner();
    else if (kind === 5) this.at += 4;
    else throw new RangeError(`a field of kind ${kind}`);
  }
}
