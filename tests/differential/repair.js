// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Repair: records (length, bytes) in; (number of code points, length, repaired bytes) out;
// numbers are 32 bits, little-endian. It is done by TextDecoder, an implementation of
// WHATWG's Encoding Standard, or by the WebAssembly module that an argument names.
'use strict';

const fs = require('fs');

// without ignoreBOM it would take a byte order mark off, which is no repair
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const repaired = process.argv[2] ? require('./wasm.js').repairing(process.argv[2]) :
	(bytes) => Buffer.from(decoder.decode(bytes));
const input = fs.readFileSync(0);
const output = [];

for (let at = 0; at < input.length;) {
	const end = at + 4 + input.readUInt32LE(at);

	if (end > input.length)
		throw new RangeError('input ends within a record');
	const bytes = repaired(input.subarray(at + 4, end));
	const head = Buffer.alloc(8);
	let units = 0;

	for (let i = 0; i < bytes.length; i++)
		units += (bytes[i] & 0xC0) !== 0x80;
	head.writeUInt32LE(units, 0);
	head.writeUInt32LE(bytes.length, 4);
	output.push(head, bytes);
	at = end;
}
fs.writeFileSync(1, Buffer.concat(output));
