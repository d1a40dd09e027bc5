/** The device that a session is bound to: the fingerprint of its browser's header fields, and the key in the browser. */
@NullMarked
package dev.gatehouse.common.device;

import org.jspecify.annotations.NullMarked;
