package dev.gatehouse.common.audit.search;

/** A file of the index that is not as it was written. */
final class DamagedPart extends RuntimeException {

  private static final long serialVersionUID = 1;

  DamagedPart(String message) {
    super(message);
  }
}
