package dev.gatehouse.perf.service;

import dev.gatehouse.perf.harness.Resources;
import java.nio.file.Path;

/** What runs for one start of a node only. */
final class OneStart extends Resources {

  /** @param work an empty folder */
  OneStart(Path work) {
    super(work);
  }
}
