package dev.gatehouse.common.db;

import java.io.IOException;

/** What is in H2's file is not what was written there. */
final class FileDamaged extends IOException {
  private static final long serialVersionUID = 1;

  FileDamaged(String message) {
    super(message);
  }
}
