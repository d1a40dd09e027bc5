/**
 * What other realms of one-time passwords ask about our people. Nothing here can ask a realm in turn: a question that came from another realm
 * is decided here or refused.
 */
@NullMarked
package dev.gatehouse.idp.otp.home;

import org.jspecify.annotations.NullMarked;
