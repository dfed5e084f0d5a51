// SPDX-License-Identifier: GPL-2.0-only OR MIT
//! Rust's standard library as a peer.

/// # Safety
/// `buf` points to `len` bytes.
#[no_mangle]
pub unsafe extern "C" fn bench_rust(buf: *const u8, len: usize) -> bool {
    std::str::from_utf8(std::slice::from_raw_parts(buf, len)).is_ok()
}
