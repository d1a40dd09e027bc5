/** The endpoints for test logins with identity providers, and for replays of recorded ones. */
@NullMarked
package dev.gatehouse.gateway.admin.inspection;

import org.jspecify.annotations.NullMarked;
