package dev.gatehouse.common.node;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An address in the plain form of RFC 5321, section 4.1.2: a dot-atom and a host name in ASCII. Comments, quoted strings, lists and line
 * breaks have no place in it, so that nothing in a directory can add a recipient or a header.
 */
public record MailAddress(String value) {

  private static final int LONGEST = 254;
  private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
  private static final Pattern FORM = Pattern.compile(ATOM + "(?:\\." + ATOM + ")*@" + LABEL + "(?:\\." + LABEL + ")*");

  /** Returns the address; empty if the text is no plain one. */
  public static Optional<MailAddress> parse(String text) {
    return text.length() <= LONGEST && FORM.matcher(text).matches() ? Optional.of(new MailAddress(text)) : Optional.empty();
  }
}
