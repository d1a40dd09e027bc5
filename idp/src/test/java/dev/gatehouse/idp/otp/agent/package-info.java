@NullMarked
package dev.gatehouse.idp.otp.agent;

import org.jspecify.annotations.NullMarked;
