@NullMarked
package dev.gatehouse.idp.otp;

import org.jspecify.annotations.NullMarked;
