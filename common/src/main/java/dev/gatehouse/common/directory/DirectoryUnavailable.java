package dev.gatehouse.common.directory;

/** No directory server answered in time. Edges answer 503 with a page about it. */
public final class DirectoryUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DirectoryUnavailable(String message) {
    super(message);
  }
}
