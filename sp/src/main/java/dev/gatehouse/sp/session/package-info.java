/** The AppSession with its account and cookie, its store, and the cache that the event loop may peek into. */
@NullMarked
package dev.gatehouse.sp.session;

import org.jspecify.annotations.NullMarked;
