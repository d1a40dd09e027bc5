package dev.gatehouse.idp.agent.server;

/** Who decides about passcodes that programs of this host pass on. */
@FunctionalInterface
public interface Passcodes {

  /** Decides; blocks as long as servers take. */
  RealmAnswer ask(Asked asked);
}
