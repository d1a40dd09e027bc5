package dev.gatehouse.gateway.demo;

import java.util.List;

/** The nodes of a demo of several, as its sample app shows them. */
public interface DemoNodes {

  /** A demo of one node, which is this process. */
  DemoNodes NONE = List::of;

  /**
   * One node.
   *
   * @param number from 1
   * @param isRunning whether its process runs
   */
  record State(int number, long pid, boolean isRunning) {}

  /** Returns the nodes in their order. */
  List<State> now();
}
