package dev.gatehouse.gateway.federate;

import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import java.util.List;

/** One end of a federation: where names are given, or where they are linked. */
public interface FederationEnd {

  /** The outcomes are in the order of the lines; throws {@link FederationEndFailed} where none of them is certain. */
  List<Outcome> apply(List<Line> lines);
}
