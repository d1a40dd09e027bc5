package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;

/** The realms of this node as they are now. A reader keeps the value it got for as long as one request takes. */
public interface Realms {

  Optional<Realm> find(String name);

  /** The realm whose sp or gateway answers at this origin; an origin belongs to one realm at most. */
  Optional<Realm> ofAppOrigin(Origin origin);

  Collection<Realm> all();

  /**
   * Calls now with the present realms, and again after each change with the whole new set, before a request can see it.
   * A listener must not block.
   */
  void onChange(Consumer<Collection<Realm>> listener);
}
