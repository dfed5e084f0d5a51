// SPDX-License-Identifier: GPL-2.0-only OR MIT
// Repair by the WebAssembly module's check and prefix, as a program calls them. The records
// are repair.js's.
'use strict';

const fs = require('fs');

const module_ = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const { memory, utf8val_prefix, utf8val_check, __heap_base } =
	new WebAssembly.Instance(module_).exports;
const RESULT = 8;	// struct utf8val_result: valid, bad, reason
const FFFD = Buffer.from('\ufffd');
const room = __heap_base.value + RESULT;
const input = fs.readFileSync(0);
const output = [];

// check(bytes): where and why the bytes are ill-formed
function check(bytes) {
	const more = room + bytes.length - memory.buffer.byteLength;

	if (more > 0)
		memory.grow(Math.ceil(more / 65536));
	new Uint8Array(memory.buffer).set(bytes, room);
	utf8val_check(__heap_base.value, room, bytes.length);
	const view = new DataView(memory.buffer, __heap_base.value);
	const result = { valid: view.getUint32(0, true), bad: view.getUint8(4),
		reason: view.getUint8(5) };

	if (utf8val_prefix(room, bytes.length) !== result.valid ||
	    (result.valid === bytes.length) !== (result.reason === 0) ||
	    (result.bad === 0) !== (result.reason === 0))
		throw new Error(`check and prefix differ: ${JSON.stringify(result)}`);
	return result;
}

for (let at = 0; at < input.length;) {
	const end = at + 4 + input.readUInt32LE(at);
	const repaired = [];
	let rest = input.subarray(at + 4, end);
	let units = 0;

	for (;;) {
		const { valid, bad } = check(rest);

		for (let i = 0; i < valid; i++)
			units += (rest[i] & 0xC0) !== 0x80;
		repaired.push(rest.subarray(0, valid));
		if (!bad)
			break;
		repaired.push(FFFD);
		units++;
		rest = rest.subarray(valid + bad);
	}
	const bytes = Buffer.concat(repaired);
	const head = Buffer.alloc(8);

	head.writeUInt32LE(units, 0);
	head.writeUInt32LE(bytes.length, 4);
	output.push(head, bytes);
	at = end;
}
fs.writeFileSync(1, Buffer.concat(output));
