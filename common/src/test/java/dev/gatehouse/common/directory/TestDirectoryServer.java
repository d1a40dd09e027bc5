package dev.gatehouse.common.directory;

/** A directory server of a test, on a port of loopback. */
public interface TestDirectoryServer extends AutoCloseable {
  int port();

  /** Ends it as if it had died; {@link #restart} brings it back on the same port with its data. */
  void stop();

  void restart();

  @Override
  void close();
}
