package dev.gatehouse.common.key;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A key that is made or revoked on the host, as the audit log has it.
 *
 * @param grants what an administrator may do with it; none for other keys
 * @param expiresAt when it ends by itself; empty: never
 */
public record KeyChange(Kind kind, Step step, String name, List<AdministratorGrant> grants, Optional<Instant> expiresAt) {

  private static final String NONE = "-";

  public KeyChange {
    grants = List.copyOf(grants);
  }

  /** What the key is for. */
  public enum Kind {
    /** The REST interface of the administration. */
    ADMINISTRATOR,

    /** The registration of OAuth clients. */
    REGISTRATION;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind of that word. */
    public static Optional<Kind> of(String word) {
      return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }
  }

  /** What becomes of the key. */
  public enum Step {
    CREATE,
    REVOKE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the step of that word. */
    public static Optional<Step> of(String word) {
      return Arrays.stream(values()).filter(step -> step.word().equals(word)).findFirst();
    }
  }

  /** Returns the name of the change in the audit log. */
  public String action() {
    return kind.word() + "Key." + step.word();
  }

  /** Returns what the audit log says of the change: the name of the key, and what it permits before and after. */
  public Map<String, String> details() {
    return switch (step) {
      case CREATE -> Map.of("name", name, "before", NONE, "after", permits());
      case REVOKE -> Map.of("name", name, "before", permits(), "after", NONE);
    };
  }

  private String permits() {
    String what =
        switch (kind) {
          case ADMINISTRATOR -> grants.stream().map(AdministratorGrant::toString).collect(Collectors.joining(", "));
          case REGISTRATION -> kind.word();
        };
    return what + expiresAt.map(end -> " until " + end).orElse("");
  }
}
