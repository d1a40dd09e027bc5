@NullMarked
package dev.gatehouse.idp.otp.packet;

import org.jspecify.annotations.NullMarked;
