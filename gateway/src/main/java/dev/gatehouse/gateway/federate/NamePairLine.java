package dev.gatehouse.gateway.federate;

import java.util.Optional;

/**
 * One line of the file of pairs.
 *
 * @param number counted from 1
 * @param end byte offset in the file after the line
 * @param raw the text of the line, as far as it can be displayed
 */
record NamePairLine(long number, long end, String raw, Content content) {

  /** The parsed content. */
  sealed interface Content {
    /** @param second the name at the other end; the NameID if the other end has issued it before */
    record Pair(String first, String second, Optional<String> third) implements Content {}

    /** @param why for the file of rejects */
    record Bad(String why) implements Content {}

    /** A heading or an empty line. */
    record Blank() implements Content {}
  }
}
