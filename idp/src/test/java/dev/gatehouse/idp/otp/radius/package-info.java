@NullMarked
package dev.gatehouse.idp.otp.radius;

import org.jspecify.annotations.NullMarked;
