package dev.gatehouse.common.db;

import java.io.IOException;

/** The content of H2's file differs from the written content. */
final class FileDamaged extends IOException {
  private static final long serialVersionUID = 1;

  FileDamaged(String message) {
    super(message);
  }
}
