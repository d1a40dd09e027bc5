package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.idp.otp.radius.RadiusMetrics.Result;

/** The end of a request. */
sealed interface Answer {

  /** A packet for the client. */
  record Sent(byte[] packet, Result result) implements Answer {}

  /** Nothing: the client asks again, or another server. */
  record Silent(Dropped reason) implements Answer {}
}
