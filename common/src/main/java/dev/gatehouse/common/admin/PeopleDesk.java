package dev.gatehouse.common.admin;

import dev.gatehouse.common.result.Result;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The register of people who may have tokens, and its synchronisation with the directory. */
public interface PeopleDesk {

  /** Why a synchronisation changed nothing, or not all: a closed list. */
  enum Reason {
    /** The realm has no {@code otp.people}. */
    PEOPLE_OFF,
    /** No server of the directory answers to the end. */
    DIRECTORY_UNAVAILABLE,
    /** The directory did not tell all people. */
    DIRECTORY_INCOMPLETE,
    /** The directory has nobody, and the register somebody. */
    DIRECTORY_EMPTY,
    /** More people would be disabled than {@code otp.people.mayDisable} allows. */
    TOO_MANY_GONE,
    /** A synchronisation of the realm runs, here or at another node. */
    RUNNING
  }

  /** A reason, and a sentence for administrators. */
  record Stop(Reason reason, String sentence) {}

  /**
   * What to do.
   *
   * @param by the administrator, or {@code schedule}
   * @param isPreview whether the directory is only compared with the register
   * @param mayDisable in place of the configured limit: a number, or a share like {@code 5%}
   */
  record Order(String realm, String by, boolean isPreview, Optional<String> mayDisable) {}

  /**
   * Numbers of people.
   *
   * @param found entries of the directory
   * @param moved with another name or place
   * @param returned who had been gone
   * @param rejected entries that were left out
   * @param tokens that were taken back, or would be
   */
  record PeopleCounts(long found, long added, long changed, long moved, long returned, long gone, long rejected, long tokens) {}

  /** What becomes of a person. */
  enum Kind {
    ADDED,
    CHANGED,
    MOVED,
    RETURNED,
    GONE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What becomes of one person.
   *
   * @param name the login name, the former one of whoever is gone
   * @param detail what is different, or the DN
   */
  record PersonChange(Kind kind, String person, String name, String detail) {}

  /** Why an entry was left out: a closed list. */
  enum EntryFault {
    /** No value of the id attribute that is text, or a GUID. */
    NO_ID,
    ID_TOO_LONG,
    /** Another entry has the same id. */
    ID_TWICE,
    NO_NAME,
    /** Too long, or with characters that cannot be typed or seen. */
    NAME_UNUSABLE,
    /** Another entry has the same name, as directories compare names: nobody can log in by it. */
    NAME_TWICE,
    /** The person was taken, without a value that is too long or cannot be shown. */
    VALUE_LEFT_OUT
  }

  /** An entry that was left out, or a part of it. */
  record Remark(EntryFault fault, String name, String place) {}

  /**
   * What came of it.
   *
   * @param changes some of each kind, if there are many
   * @param remarks some, if there are many
   * @param stop why a synchronisation would not do this, of a preview
   */
  record Synchronised(PeopleCounts counts, List<PersonChange> changes, List<Remark> remarks, Optional<Stop> stop) {}

  /**
   * A synchronisation.
   *
   * @param by the administrator, or {@code schedule}
   * @param state {@code running}, {@code done}, {@code stopped} (nothing was changed), {@code failed}, {@code interrupted}
   */
  record PeopleRunView(
      long number,
      String by,
      Instant startedAt,
      Optional<Instant> endedAt,
      String state,
      PeopleCounts counts,
      Optional<String> problem,
      List<String> remarks) {}

  /**
   * A person of the register.
   *
   * @param person the directory's id
   * @param status {@code active}, {@code suspended} (the account is disabled, or a filter does not match it), {@code missing}, {@code gone}
   */
  record KnownPersonView(
      String person,
      String name,
      String displayName,
      String mail,
      String place,
      List<String> groups,
      String status,
      Instant seenAt,
      Optional<Instant> goneAt) {}

  /** Learns how far it is. It may throw, which ends the synchronisation; the next one does the rest. */
  @FunctionalInterface
  interface Progress {
    /** @param total 0 until it is known */
    void at(long done, long total);
  }

  /** Returns whether the realm has a register. */
  boolean isOn(String realm);

  /** Compares or synchronises. */
  Result<Synchronised, Stop> run(Order order, Progress progress);

  /** Returns the last synchronisations, the newest first. */
  List<PeopleRunView> runs(String realm, int limit);

  /**
   * Returns people by id.
   *
   * @param name the beginning of the login name; any if empty
   */
  List<KnownPersonView> page(String realm, String name, Optional<String> status, String after, int limit);
}
