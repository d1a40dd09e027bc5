package dev.gatehouse.gateway.federate;

import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import dev.gatehouse.common.federation.BulkFederation.Reason;
import dev.gatehouse.gateway.federate.BulkJournal.State;
import dev.gatehouse.gateway.federate.NamePairLine.Content;
import dev.gatehouse.gateway.federate.NamePairLine.Content.Pair;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Works a file of pairs off, a batch at a time. */
public final class BulkRun {

  private static final int BATCH = 500;

  /**
   * Where everything is.
   *
   * @param names for the other end: its local names and the NameIDs; where one end alone gives names
   */
  public record Paths(Path pairs, Path journal, Path rejects, Optional<Path> names) {}

  /** @param federated people who were not before; @param before people who were before */
  public record Result(long lines, long federated, long before, long rejected) {}

  /** Hears how far the run is. */
  public interface Progress {
    /** @param done bytes of the file; @param all bytes of it */
    void at(long done, long all, Result soFar);
  }

  private final Paths paths;
  private final Optional<FederationEnd> giver;
  private final Optional<FederationEnd> linker;
  private final Progress progress;

  /** @param giver gives names; @param linker links them; at least one */
  public BulkRun(Paths paths, Optional<FederationEnd> giver, Optional<FederationEnd> linker, Progress progress) {
    this.paths = paths;
    this.giver = giver;
    this.linker = linker;
    this.progress = progress;
  }

  /**
   * Runs to the end of the file, from where the journal says; of a run that was finished, its result.
   *
   * @param about names the ends: part of what the journal is compared by
   */
  public Result run(String about) throws IOException {
    long all = Files.size(paths.pairs());
    try (BulkJournal journal = new BulkJournal(paths.journal(), "gatehouse bulk 1 " + digest(paths.pairs()) + " " + about)) {
      State state = journal.last();
      if (state.finished()) {
        return result(state);
      }
      try (PairsFile pairs = new PairsFile(paths.pairs(), state.position(), state.line());
          AppendedFile rejects = new AppendedFile(paths.rejects(), state.rejectsLength());
          Names names = new Names(paths.names(), state.namesLength())) {
        List<NamePairLine> batch = pairs.next(BATCH);
        while (!batch.isEmpty()) {
          state = worked(batch, state, names, rejects);
          journal.record(state);
          progress.at(state.position(), all, result(state));
          batch = pairs.next(BATCH);
        }
        journal.record(state.atEnd());
      }
      return result(state);
    }
  }

  /** The file of names, or nothing. */
  private record Names(Optional<AppendedFile> file) implements AutoCloseable {

    Names(Optional<Path> path, long length) throws IOException {
      this(path.isPresent() ? Optional.of(new AppendedFile(path.get(), length)) : Optional.empty());
    }

    long length() throws IOException {
      return file.isPresent() ? file.get().length() : 0;
    }

    void append(String text) throws IOException {
      if (file.isPresent()) {
        file.get().append(text);
      }
    }

    @Override
    public void close() throws IOException {
      if (file.isPresent()) {
        file.get().close();
      }
    }
  }

  /** What became of one line, as far as it is known: a NameID, or why it was rejected. */
  private record Fate(Optional<String> nameId, boolean isNew, Optional<String> rejected) {
    static Fate rejected(String why) {
      return new Fate(Optional.empty(), false, Optional.of(why));
    }
  }

  private State worked(List<NamePairLine> batch, State before, Names names, AppendedFile rejects) throws IOException {
    Map<NamePairLine, Fate> fates = new LinkedHashMap<>();
    Map<NamePairLine, Pair> open = new LinkedHashMap<>();
    for (NamePairLine line : batch) {
      switch (line.content()) {
        case Content.Blank() -> {}
        case Content.Bad(String why) -> fates.put(line, Fate.rejected(why));
        case Pair pair -> open.put(line, pair);
      }
    }
    giver.ifPresent(end -> give(end, open, fates));
    linker.ifPresent(end -> link(end, open, fates));
    StringBuilder named = new StringBuilder();
    StringBuilder refused = new StringBuilder();
    long fresh = 0;
    long known = 0;
    long rejected = 0;
    for (NamePairLine line : batch) {
      Optional<Fate> fate = Optional.ofNullable(fates.get(line));
      if (fate.isPresent() && fate.get().rejected().isPresent()) {
        rejected++;
        refused.append(rejection(line, fate.get().rejected().get()));
      } else if (fate.isPresent()) {
        fresh += fate.get().isNew() ? 1 : 0;
        known += fate.get().isNew() ? 0 : 1;
        named.append(CsvLine.write(List.of(Objects.requireNonNull(open.get(line)).second(), fate.get().nameId().orElseThrow())));
      }
    }
    names.append(named.toString());
    rejects.append(refused.toString());
    NamePairLine last = batch.getLast();
    return new State(
        last.end(),
        last.number(),
        before.federated() + fresh,
        before.before() + known,
        before.rejected() + rejected,
        names.length(),
        rejects.length(),
        false);
  }

  private static String rejection(NamePairLine line, String why) {
    return CsvLine.write(List.of(String.valueOf(line.number()), why, CsvLine.harmless(line.raw())));
  }

  private static void give(FederationEnd end, Map<NamePairLine, Pair> open, Map<NamePairLine, Fate> fates) {
    List<NamePairLine> lines = List.copyOf(open.keySet());
    List<Outcome> outcomes =
        applied(end, lines.stream().map(open::get).map(pair -> new Line(pair.first(), pair.third())).toList());
    for (int i = 0; i < lines.size(); i++) {
      fates.put(lines.get(i), fate(outcomes.get(i), Optional.empty(), "the identity provider"));
    }
  }

  /** What the identity provider's end gave, where there is one; else the second column is the NameID. */
  private void link(FederationEnd end, Map<NamePairLine, Pair> open, Map<NamePairLine, Fate> fates) {
    List<NamePairLine> lines = new ArrayList<>();
    List<Line> wanted = new ArrayList<>();
    open.forEach(
        (line, pair) -> {
          Optional<Fate> given = Optional.ofNullable(fates.get(line));
          if (giver.isEmpty()) {
            lines.add(line);
            wanted.add(new Line(pair.first(), Optional.of(pair.second())));
          } else if (given.isPresent() && given.get().nameId().isPresent()) {
            lines.add(line);
            wanted.add(new Line(pair.second(), given.get().nameId()));
          }
        });
    List<Outcome> outcomes = applied(end, wanted);
    for (int i = 0; i < lines.size(); i++) {
      Optional<Fate> given = Optional.ofNullable(fates.get(lines.get(i)));
      fates.put(lines.get(i), fate(outcomes.get(i), given, "the service provider"));
    }
  }

  private static List<Outcome> applied(FederationEnd end, List<Line> lines) {
    if (lines.isEmpty()) {
      return List.of();
    }
    List<Outcome> outcomes = end.apply(lines);
    if (outcomes.size() != lines.size()) {
      throw new FederationEndFailed("The node answered " + outcomes.size() + " outcomes to " + lines.size() + " lines.");
    }
    return outcomes;
  }

  private static Fate fate(Outcome outcome, Optional<Fate> before, String where) {
    return switch (outcome) {
      case Outcome.Federated(String nameId, boolean isNew) ->
          new Fate(Optional.of(nameId), isNew || before.filter(Fate::isNew).isPresent(), Optional.empty());
      case Outcome.Rejected(Reason reason) -> Fate.rejected("at " + where + ": " + text(reason));
    };
  }

  private static String text(Reason reason) {
    return switch (reason) {
      case LOCAL_NAME_UNKNOWN -> "nobody has that login name";
      case LOCAL_NAME_AMBIGUOUS -> "several people have that login name";
      case NAME_ID_MISSING -> "no NameID";
      case NAME_ID_UNUSABLE -> "no usable NameID";
      case NAME_ID_TAKEN -> "the NameID is, or was, another person's";
      case PERSON_HAS_ANOTHER -> "the person has another NameID";
    };
  }

  private static Result result(State state) {
    return new Result(state.line(), state.federated(), state.before(), state.rejected());
  }

  private static String digest(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
