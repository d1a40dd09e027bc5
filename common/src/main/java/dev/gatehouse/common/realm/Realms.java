package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The realms of this node as they are now. A reader uses one value for the whole duration of a request. */
public interface Realms {

  Optional<Realm> find(String name);

  /** Returns the realm whose sp or gateway serves this origin; an origin belongs to one realm at most. */
  Optional<Realm> ofAppOrigin(Origin origin);

  Collection<Realm> all();

  /**
   * Calls the listener now with the present realms, and after each change with the whole new set, before a request can see it. A
   * listener must not block.
   */
  void onChange(Consumer<Collection<Realm>> listener);

  /** A check of a realm that needs more than files, such as what a device holds. It may block. */
  interface Check {

    /** Finds nothing. */
    Check NONE = (used, next, file) -> List.of();

    /**
     * Returns why a realm cannot come into use. What it has in common with the realm in use is no problem: a device that is away for a
     * while must not keep other changes back.
     *
     * @param used the realm in use; empty for a new one
     * @param file for the problems
     */
    List<Problem> problems(Optional<Realm> used, Realm next, Path file);
  }
}
