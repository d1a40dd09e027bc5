/**
 * RADIUS for VPN servers and Wi-Fi gateways (RFC 2865, 2866, 5997, 6614): sockets, clients, duplicates, and the attributes of an accepted
 * person. Whether a passcode counts is decided by {@link dev.gatehouse.idp.otp.PasscodeCheck}. A packet that is not of a known client, or
 * not authentic, gets no answer.
 */
@NullMarked
package dev.gatehouse.idp.otp.radius;

import org.jspecify.annotations.NullMarked;
