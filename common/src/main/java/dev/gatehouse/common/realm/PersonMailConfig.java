package dev.gatehouse.common.realm;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Mail to the people of a realm.
 *
 * @param attribute our name of the directory's attribute that has the address
 * @param language {@code en} or {@code de}, if the person's is unknown
 * @param notices those that are sent
 * @param texts the realm's own texts by {@link #textName}; others are ours
 */
public record PersonMailConfig(String attribute, String language, Set<Notice> notices, Map<String, String> texts) {

  /** The languages of mail. */
  public static final List<String> LANGUAGES = List.of("en", "de");

  /** What every text may use. */
  private static final Set<String> COMMON = Set.of("realm", "person", "time");

  public PersonMailConfig {
    notices = Set.copyOf(notices);
    texts = Map.copyOf(texts);
  }

  /** Mail that a person gets. */
  public enum Notice {
    /** A login in a browser that is not known. */
    NEW_DEVICE("newDevice", "address", "device", "account"),
    SECOND_FACTOR_ADDED("secondFactorAdded", "address", "account"),
    SECOND_FACTOR_REMOVED("secondFactorRemoved", "address", "account"),
    PASSWORD_CHANGED("passwordChanged", "address", "account"),
    /** An administrator ended sessions. */
    SESSIONS_ENDED("sessionsEnded", "account"),
    /** The link for a new password; no notice that can be turned off. */
    PASSWORD_RESET("passwordReset", "address", "link", "minutes");

    private final String word;
    private final Set<String> placeholders;

    Notice(String word, String... placeholders) {
      this.word = word;
      this.placeholders = Set.of(placeholders);
    }

    public String word() {
      return word;
    }

    /** Returns whether a text of this notice may use {@code {name}}. */
    public boolean knows(String placeholder) {
      return COMMON.contains(placeholder) || placeholders.contains(placeholder);
    }

    public static Optional<Notice> of(String word) {
      return Arrays.stream(values()).filter(notice -> notice.word.equals(word)).findFirst();
    }
  }

  /** Returns the name of a text: the notice's word in English, {@code word.de} in German. */
  public static String textName(Notice notice, String language) {
    return language.equals("en") ? notice.word() : notice.word() + "." + language;
  }
}
