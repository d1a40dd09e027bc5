package dev.gatehouse.common.realm;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A check of a realm that needs more than files, such as what a device holds. It may block. */
public interface RealmCheck {

  /** Finds nothing. */
  RealmCheck NONE = (used, next, file) -> List.of();

  /**
   * Returns why a realm cannot come into use. What it has in common with the realm in use is no problem: a device that is away for a
   * while must not keep other changes back.
   *
   * @param used the realm in use; empty for a new one
   * @param file for the problems
   */
  List<Problem> problems(Optional<Realm> used, Realm next, Path file);
}
