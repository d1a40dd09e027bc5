/** The endpoints and the page by which browsers bind IdpSessions to keys. Uses {@code idp.session}. */
@NullMarked
package dev.gatehouse.idp.device;

import org.jspecify.annotations.NullMarked;
