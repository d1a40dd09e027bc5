package dev.gatehouse.gateway.federate;

import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import java.util.List;

/** One end of a federation: the one that issues names, or the one that links them. */
public interface FederationEnd {

  /**
   * Applies lines.
   *
   * @return the outcomes in the order of the lines
   * @throws FederationEndFailed if none of the outcomes is certain
   */
  List<Outcome> apply(List<Line> lines);
}
