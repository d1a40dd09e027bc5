package dev.gatehouse.gateway.federate;

import java.util.Optional;

/**
 * One line of the file of pairs.
 *
 * @param number counted from 1
 * @param end the file's byte behind it
 * @param raw as it stands, as far as it can be shown
 */
record NamePairLine(long number, long end, String raw, Content content) {

  /** What it says. */
  sealed interface Content {
    /** @param second the name at the other end, or the NameID where the other end had been there first */
    record Pair(String first, String second, Optional<String> third) implements Content {}

    /** @param why for the file of rejects */
    record Bad(String why) implements Content {}

    /** A heading, or nothing. */
    record Blank() implements Content {}
  }
}
