package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.util.Collection;
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
}
