// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Repair by TextDecoder, an implementation of WHATWG's Encoding Standard: records
// (length, bytes) in; (number of code points, length, repaired bytes) out; numbers are
// 32 bits, little-endian.
'use strict';

const fs = require('fs');

// without ignoreBOM it would take a byte order mark off, which is no repair
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const input = fs.readFileSync(0);
// a byte becomes three at most
const output = Buffer.alloc(8 * input.length + 8);
let size = 0;

for (let at = 0; at < input.length;) {
	const end = at + 4 + input.readUInt32LE(at);

	if (end > input.length)
		throw new RangeError('input ends within a record');
	const text = decoder.decode(input.subarray(at + 4, end));
	const length = output.write(text, size + 8, 'utf8');
	let units = 0;

	for (let i = 0; i < length; i++)
		units += (output[size + 8 + i] & 0xC0) !== 0x80;
	output.writeUInt32LE(units, size);
	output.writeUInt32LE(length, size + 4);
	size += 8 + length;
	at = end;
}
fs.writeFileSync(1, output.subarray(0, size));
