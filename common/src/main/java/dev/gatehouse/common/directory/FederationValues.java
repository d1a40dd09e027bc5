package dev.gatehouse.common.directory;

import dev.gatehouse.common.directory.NamePairs.Kind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The values of the federation attribute of an entry: three values for each pair, their parts separated by {@code |}.
 *
 * <pre>
 * linked|REALM|PARTNER                            a slot: an entry can have it only once
 * linked|REALM|PARTNER|NAME                       found by one indexed search
 * linked-note|REALM|PARTNER|SINCE|SPPROVIDEDID
 * given-ended|REALM|PARTNER|NAME                  this name must never be reused
 * </pre>
 *
 * <p>{@code given} replaces {@code linked} for names that our idp gave. A pair exists if its second value does. Every character
 * except letters, digits and {@code . - _ ~ : / @} is percent-encoded, so that no part contains a separator or a character that
 * a matching rule would fold away, and values of any attribute of text are compared exactly.
 */
final class FederationValues {

  private static final String PLAIN = ".-_~:/@";
  private static final String HEX = "0123456789ABCDEF";

  private final String kind;

  FederationValues(Kind kind) {
    this.kind =
        switch (kind) {
          case GIVEN -> "given";
          case LINKED -> "linked";
        };
  }

  String slot(String realm, String partner) {
    return joined(kind, realm, partner);
  }

  String name(String realm, String partner, String name) {
    return joined(kind, realm, partner, name);
  }

  String ended(String realm, String partner, String name) {
    return joined(kind + "-ended", realm, partner, name);
  }

  String note(String realm, NamePair pair) {
    return joined(
        kind + "-note",
        realm,
        pair.partner(),
        pair.since().truncatedTo(ChronoUnit.SECONDS).toString(),
        pair.spProvidedId().orElse(""));
  }

  /** Returns the three values of a pair. */
  List<String> all(String realm, NamePair pair) {
    return List.of(
        slot(realm, pair.partner()), name(realm, pair.partner(), pair.name()), note(realm, pair));
  }

  /** Returns the pairs of a realm among a person's values, ordered by partner. */
  List<NamePair> pairs(String realm, PersonId person, Collection<String> values) {
    List<List<String>> parsed = values.stream().map(FederationValues::parts).toList();
    List<NamePair> pairs = new ArrayList<>();
    for (List<String> parts : parsed) {
      if (parts.size() == 4 && parts.get(0).equals(kind) && parts.get(1).equals(realm)) {
        pairs.add(pair(person, parts.get(2), parts.get(3), note(realm, parts.get(2), parsed)));
      }
    }
    pairs.sort(Comparator.comparing(NamePair::partner));
    return pairs;
  }

  /** Returns those of a person's values that make the pair with the partner, even if its note was edited by hand. */
  List<String> of(String realm, String partner, Collection<String> held) {
    List<String> slot = List.of(kind, realm, partner);
    List<String> note = List.of(kind + "-note", realm, partner);
    return held.stream().filter(value -> begins(parts(value), slot) || begins(parts(value), note)).toList();
  }

  private static boolean begins(List<String> parts, List<String> prefix) {
    return parts.size() >= prefix.size() && parts.subList(0, prefix.size()).equals(prefix);
  }

  private Optional<List<String>> note(String realm, String partner, List<List<String>> parsed) {
    return parsed.stream()
        .filter(parts -> parts.size() == 5 && begins(parts, List.of(kind + "-note", realm, partner)))
        .findFirst();
  }

  private static NamePair pair(PersonId person, String partner, String name, Optional<List<String>> note) {
    return new NamePair(
        partner,
        person,
        name,
        note.map(parts -> parts.get(4)).filter(id -> !id.isEmpty()),
        note.flatMap(parts -> time(parts.get(3))).orElse(Instant.EPOCH));
  }

  /** Parses a time; empty if somebody has edited it. */
  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String joined(String... parts) {
    return Stream.of(parts).map(FederationValues::encoded).collect(Collectors.joining("|"));
  }

  private static List<String> parts(String value) {
    return Stream.of(value.split("\\|", -1)).map(FederationValues::decoded).toList();
  }

  private static String encoded(String part) {
    StringBuilder out = new StringBuilder(part.length() + 16);
    for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || PLAIN.indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return out.toString();
  }

  /** Decodes a part. Text that we cannot have encoded is returned unchanged: it equals none of the values that we look for. */
  private static String decoded(String part) {
    if (part.indexOf('%') < 0) {
      return part;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(part.length());
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      int high = c == '%' && i + 2 < part.length() ? HEX.indexOf(part.charAt(i + 1)) : -1;
      int low = high >= 0 ? HEX.indexOf(part.charAt(i + 2)) : -1;
      if (low >= 0) {
        out.write(high << 4 | low);
        i += 2;
      } else {
        out.write(c);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
