/** Binding of sessions to the browsers of their logins: keys by Device Bound Session Credentials, or by a page of ours. */
@NullMarked
package dev.gatehouse.sp.device;

import org.jspecify.annotations.NullMarked;
