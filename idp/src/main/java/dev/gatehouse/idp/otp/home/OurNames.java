package dev.gatehouse.idp.otp.home;

import dev.gatehouse.common.realm.Realm.OtpTrusts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Names of our people, as they are typed at other realms and as our directory has them. */
public final class OurNames {

  private OurNames() {}

  /** Returns the suffix of a name, in lower case; empty if it has none. */
  public static Optional<String> suffix(String name) {
    int at = name.lastIndexOf('@');
    return at < 0 ? Optional.empty() : Optional.of(name.substring(at + 1).toLowerCase(Locale.ROOT));
  }

  /** Returns what stands before the suffix of a name, or all of it without one. */
  public static String local(String name) {
    int at = name.lastIndexOf('@');
    return at < 0 ? name : name.substring(0, at);
  }

  /** Returns the name in our directory for a typed one; empty if its suffix is not ours. A name without suffix stays as it is. */
  public static Optional<String> here(OtpTrusts ours, String typed) {
    Optional<String> suffix = suffix(typed);
    if (suffix.isEmpty()) {
      return Optional.of(typed);
    }
    return suffix
        .filter(ours.suffixes()::contains)
        .map(known -> ours.wholeNames() ? typed : typed.substring(0, typed.lastIndexOf('@')));
  }

  /** Returns the name of one of our people without suffix: whoever hears it adds the one by which we are known. */
  static String withoutSuffix(List<String> ours, String name) {
    return suffix(name).filter(ours::contains).map(known -> name.substring(0, name.lastIndexOf('@'))).orElse(name);
  }
}
