package dev.gatehouse.common.db;

/** The database cannot be opened: another process has it open, or its folder cannot be used. */
public final class DatabaseUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  DatabaseUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
