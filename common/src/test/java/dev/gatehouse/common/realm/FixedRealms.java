package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Realms under a test's control; {@link #set} is a reload. */
public final class FixedRealms implements Realms {

  private volatile List<Realm> realms;
  private final List<Consumer<Collection<Realm>>> listeners = new ArrayList<>();

  public FixedRealms(Realm... realms) {
    this.realms = List.of(realms);
  }

  /** Replaces the whole set; listeners are called before a reader can see it. */
  public synchronized void set(Realm... changed) {
    List<Realm> next = List.of(changed);
    listeners.forEach(listener -> listener.accept(next));
    realms = next;
  }

  @Override
  public Optional<Realm> find(String name) {
    return realms.stream().filter(realm -> realm.name().equals(name)).findFirst();
  }

  @Override
  public Optional<Realm> ofAppOrigin(Origin origin) {
    return realms.stream()
        .filter(realm -> realm.sp().filter(sp -> sp.home().equals(origin) || sp.otherOrigins().contains(origin)).isPresent())
        .findFirst();
  }

  @Override
  public Collection<Realm> all() {
    return realms;
  }

  @Override
  public synchronized void onChange(Consumer<Collection<Realm>> listener) {
    listener.accept(realms);
    listeners.add(listener);
  }
}
