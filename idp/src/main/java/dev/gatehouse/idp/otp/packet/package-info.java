/**
 * The codec of RADIUS packets (RFC 2865, 2866, 2868, 2869): bounds, authenticators and hidden passwords. It knows of no sockets and takes no
 * decision; {@link dev.gatehouse.idp.otp.packet.RadiusPacket} is what came in, {@link dev.gatehouse.idp.otp.packet.PacketWriter} what goes
 * out.
 */
@NullMarked
package dev.gatehouse.idp.otp.packet;

import org.jspecify.annotations.NullMarked;
