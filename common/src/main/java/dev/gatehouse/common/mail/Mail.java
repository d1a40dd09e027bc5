package dev.gatehouse.common.mail;

import java.util.List;

/**
 * One mail in plain text.
 *
 * @param id stays the same for further tries, so that a mail that was taken twice is recognised by its Message-ID
 * @param fromName the sender's name for people
 * @param to addresses
 */
record Mail(String id, String fromName, List<String> to, String subject, String text) {
  Mail {
    to = List.copyOf(to);
  }

  @Override
  public String toString() {
    return "Mail[" + id + "]";
  }
}
