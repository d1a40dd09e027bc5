/** People of other realms of one-time passwords who come here: whose they are, and what their home says. */
@NullMarked
package dev.gatehouse.idp.otp.visit;

import org.jspecify.annotations.NullMarked;
