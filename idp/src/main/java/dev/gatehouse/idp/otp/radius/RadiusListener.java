package dev.gatehouse.idp.otp.radius;

/** A socket that takes packets. */
interface RadiusListener extends AutoCloseable {

  int port();

  boolean isListening();

  /** Takes no further packets; those that are being worked on are still answered. */
  void stop();

  @Override
  void close();
}
