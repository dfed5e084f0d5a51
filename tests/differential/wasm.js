// SPDX-License-Identifier: GPL-2.0-only OR MIT
// The WebAssembly module's check and prefix, as a program calls them.
'use strict';

const fs = require('fs');

const RESULT = 8;	// struct utf8val_result: valid, bad, reason
const FFFD = Buffer.from('\ufffd');

// repairing(path): a function that repairs bytes by the module of that path
exports.repairing = function (path) {
	const module_ = new WebAssembly.Module(fs.readFileSync(path));
	const { memory, utf8val_prefix, utf8val_check, __heap_base } =
		new WebAssembly.Instance(module_).exports;
	const room = __heap_base.value + RESULT;

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

	return function (bytes) {
		const repaired = [];

		for (;;) {
			const { valid, bad } = check(bytes);

			repaired.push(bytes.subarray(0, valid));
			if (!bad)
				return Buffer.concat(repaired);
			repaired.push(FFFD);
			bytes = bytes.subarray(valid + bad);
		}
	};
};
