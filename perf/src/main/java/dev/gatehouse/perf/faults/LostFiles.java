package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Each kind of file of a stopped node is deleted, cut in half and emptied, one at a time, and the node is started on
 * the remaining files: it must have everything that was acknowledged, or it must refuse to start and name the file and
 * the remedy. At the end the loss of one store is accepted.
 */
final class LostFiles implements FaultCase {

  private enum Damage {
    DELETED {
      @Override
      void to(Path file) throws IOException {
        Files.delete(file);
      }
    },
    CUT {
      @Override
      void to(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(channel.size() / 2);
        }
      }
    },
    EMPTIED {
      @Override
      void to(Path file) throws IOException {
        Files.write(file, new byte[0]);
      }
    };

    abstract void to(Path file) throws IOException;
  }

  /** The result of a start. */
  private enum Outcome {
    REFUSED_WITH_A_WAY_OUT,
    REFUSED_OTHERWISE,
    STARTED_WITH_EVERYTHING,
    FORGOT
  }

  @Override
  public String name() {
    return "lost-files";
  }

  @Override
  public String description() {
    return "deletes, truncates and empties each kind of file of a stopped node, then starts it with the remaining files";
  }

  @Override
  public List<Figure> run(FaultContext context) throws Exception {
    FaultContext.IdpNode idp = context.idp();
    try (AcknowledgedFacts facts = AcknowledgedFacts.create(idp)) {
      Path image = context.work().resolve("image");
      Folders.copy(idp.data(), image);
      Map<Outcome, Integer> counts = new TreeMap<>();
      Outcome control = start(context, idp, facts, Path.of("nothing"));
      for (Path file : kinds(image)) {
        for (Damage damage : Damage.values()) {
          Folders.replace(idp.data(), image);
          damage.to(idp.data().resolve(file.toString()));
          Outcome outcome = start(context, idp, facts, file);
          counts.merge(outcome, 1, Integer::sum);
          context.progress(damage + " " + file + ": " + outcome);
        }
      }
      Folders.replace(idp.data(), image);
      List<Figure> figures = new ArrayList<>();
      figures.add(Figure.holds("a start without damage has everything", control == Outcome.STARTED_WITH_EVERYTHING));
      figures.add(Figure.atMost(0, "starts that forgot silently", counts.getOrDefault(Outcome.FORGOT, 0), ""));
      figures.add(
          Figure.reported(
              "starts refused with the file's name and a way out", counts.getOrDefault(Outcome.REFUSED_WITH_A_WAY_OUT, 0), ""));
      figures.add(
          Figure.atMost(0, "starts refused without them", counts.getOrDefault(Outcome.REFUSED_OTHERWISE, 0), ""));
      figures.add(
          Figure.reported(
              "starts with everything (the file was of no use)", counts.getOrDefault(Outcome.STARTED_WITH_EVERYTHING, 0), ""));
      figures.addAll(acceptLoss(context, idp, facts));
      return List.copyOf(figures);
    }
  }

  private static Outcome start(FaultContext context, FaultContext.IdpNode before, AcknowledgedFacts facts, Path damaged)
      throws IOException, InterruptedException {
    boolean isWhole;
    try (FaultContext.IdpNode idp = before.startAgain()) {
      if (!idp.node().comesUp()) {
        String output = idp.node().process().output();
        // The name of a store's folder covers all of its files.
        boolean isNamed = output.contains(damaged.getFileName().toString())
            || output.contains(before.data().resolve(store(damaged)).toString());
        boolean hasWayOut = output.contains("--accept-loss") && output.contains("./gatehouse restore");
        if (isNamed && hasWayOut) {
          return Outcome.REFUSED_WITH_A_WAY_OUT;
        }
        context.progress(output.strip());
        return Outcome.REFUSED_OTHERWISE;
      }
      isWhole = facts.areServedBy(idp.server());
    }
    return isWhole && facts.areStoredIn(before.data()) ? Outcome.STARTED_WITH_EVERYTHING : Outcome.FORGOT;
  }

  private static List<Figure> acceptLoss(FaultContext context, FaultContext.IdpNode before, AcknowledgedFacts facts)
      throws IOException, InterruptedException {
    Damage.EMPTIED.to(before.data().resolve("h2/gatehouse.mv.db"));
    boolean isRefused = start(context, before, facts, Path.of("h2/gatehouse.mv.db")) == Outcome.REFUSED_WITH_A_WAY_OUT;
    String output = Commands.output(
            Build.here().command("recover", "--config", before.node().configured().config().toString(), "--accept-loss", "h2"));
    context.progress(output.strip());
    boolean comesUp;
    int alive = 0;
    try (FaultContext.IdpNode idp = before.startAgain()) {
      comesUp = idp.node().comesUp();
      alive = comesUp ? facts.sessionsAndTokensAlive(idp.server()) : 0;
    }
    return List.of(
        Figure.holds("the start without the database is refused", isRefused),
        Figure.holds("recover --accept-loss h2 lets the node start", comesUp),
        Figure.atMost(0, "sessions and tokens alive afterwards", alive, ""),
        Figure.holds("second factors are to be confirmed by an administrator", facts.needConfirmation(before.data())));
  }

  private static Path store(Path file) {
    return file.getNameCount() > 1 ? file.getName(0) : file;
  }

  /** One file of each kind, below the data folder; every key file, because each contains a different key. */
  private static List<Path> kinds(Path image) throws IOException {
    Map<String, Path> kinds = new TreeMap<>();
    try (Stream<Path> files = Files.walk(image)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        Path name = image.relativize(file);
        String last = file.getFileName().toString();
        String kind = kind(name, last);
        if (!kind.isEmpty() && Files.size(file) > 0) {
          kinds.putIfAbsent(kind, name);
        }
      }
    }
    return List.copyOf(kinds.values());
  }

  /** The kind of a file; empty for files without persistent state: locks, RocksDB's own log and its options. */
  private static String kind(Path name, String last) {
    return switch (store(name).toString()) {
      case "h2" -> last.endsWith(".mv.db") || last.endsWith(".last") ? name.toString() : "";
      case "rocksdb" ->
          last.endsWith(".sst") ? "rocksdb table"
              : last.endsWith(".log") ? "rocksdb log"
              : last.startsWith("MANIFEST") ? "rocksdb manifest" : last.equals("CURRENT") ? "rocksdb current" : "";
      case "keys" -> last.startsWith(".") ? "" : name.toString();
      // Files below its folders are made again, or are copies.
      case "audit" -> last.startsWith(".") || name.getNameCount() > 2 ? "" : name.toString();
      default -> "";
    };
  }
}
