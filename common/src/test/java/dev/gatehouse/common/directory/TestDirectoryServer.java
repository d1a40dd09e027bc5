package dev.gatehouse.common.directory;

/** A directory server for a test, on a port of loopback. */
public interface TestDirectoryServer extends AutoCloseable {
  int port();

  /** Kills the server; {@link #restart} starts it again on the same port with its data. */
  void stop();

  void restart();

  @Override
  void close();
}
