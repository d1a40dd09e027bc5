package dev.gatehouse.common.directory;

/** The directory's immutable id of a person (entryUUID, objectGUID or similar); it survives renaming. */
public record PersonId(String value) {
  @Override
  public String toString() {
    return value;
  }
}
