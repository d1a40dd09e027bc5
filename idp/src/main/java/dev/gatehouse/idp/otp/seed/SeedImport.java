package dev.gatehouse.idp.otp.seed;

import dev.gatehouse.common.admin.TokenImport;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.idp.otp.seed.SeedEntry.Seed;
import dev.gatehouse.idp.otp.seed.SeedEntry.Unusable;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Imports files of seeds: all of a file or nothing, unless unusable entries are to be left out. */
public final class SeedImport implements TokenImport {

  /** Tokens of one transaction where entries are left out. */
  private static final int BATCH = 50;

  private static final String IN_USE = "There is a token with this serial number.";
  private static final String TWICE = "The file has this serial number twice.";

  private final Tokens tokens;
  private final TokenSeeds seeds;
  private final InstantSource clock;

  public SeedImport(Tokens tokens, TokenSeeds seeds, InstantSource clock) {
    this.tokens = tokens;
    this.seeds = seeds;
    this.clock = clock;
  }

  @Override
  public Result<Imported, String> run(Order order, Progress progress) {
    List<SeedEntry> entries;
    try {
      entries =
          switch (order.format()) {
            case PSKC -> PskcFile.read(order.content(), new PskcSecrets.Unlock(order.password(), order.key()), clock.instant());
            case CSV -> CsvSeeds.read(order.content());
          };
    } catch (SeedFileUnreadable e) {
      return Result.refused(e.sentence());
    }
    List<Rejected> rejected = new ArrayList<>();
    List<Seed> usable = usable(order.realm(), entries, rejected);
    progress.at(0, entries.size());
    if (order.dryRun() || !rejected.isEmpty() && !order.skip()) {
      return Result.accepted(new Imported(entries.size(), 0, sorted(rejected)));
    }
    int imported = order.skip() ? each(order.realm(), usable, rejected, progress) : all(order.realm(), usable, rejected, progress);
    return Result.accepted(new Imported(entries.size(), imported, sorted(rejected)));
  }

  private static List<Rejected> sorted(List<Rejected> rejected) {
    return rejected.stream().sorted(Comparator.comparing(Rejected::number)).toList();
  }

  private List<Seed> usable(String realm, List<SeedEntry> entries, List<Rejected> rejected) {
    Map<String, Seed> usable = new HashMap<>();
    for (SeedEntry entry : entries) {
      switch (entry) {
        case Unusable(int number, String serial, String reason) -> rejected.add(new Rejected(number, serial, reason));
        case Seed seed -> {
          if (usable.putIfAbsent(seed.serial(), seed) != null) {
            rejected.add(new Rejected(seed.number(), seed.serial(), TWICE));
          } else if (tokens.find(realm, seed.serial()).isPresent()) {
            rejected.add(new Rejected(seed.number(), seed.serial(), IN_USE));
          }
        }
      }
    }
    Set<String> inUse = Set.copyOf(rejected.stream().filter(one -> one.reason().equals(IN_USE)).map(Rejected::serial).toList());
    return usable.values().stream().filter(seed -> !inUse.contains(seed.serial())).sorted(Comparator.comparing(Seed::number)).toList();
  }

  private Token token(String realm, Seed seed) {
    return seeds.token(realm, seed.serial(), seed.type(), seed.secret(), seed.counter(), seed.expiresAt());
  }

  private int all(String realm, List<Seed> usable, List<Rejected> rejected, Progress progress) {
    List<Token> sealed = new ArrayList<>();
    for (Seed seed : usable) {
      sealed.add(token(realm, seed));
      progress.at(sealed.size(), usable.size());
    }
    Set<String> there = tokens.add(realm, sealed);
    reject(usable, there, rejected);
    return there.isEmpty() ? sealed.size() : 0;
  }

  private int each(String realm, List<Seed> usable, List<Rejected> rejected, Progress progress) {
    int imported = 0;
    for (int from = 0; from < usable.size(); from += BATCH) {
      List<Seed> batch = usable.subList(from, Math.min(usable.size(), from + BATCH));
      // Somebody else may add the same ones meanwhile.
      Set<String> there = tokens.add(realm, batch.stream().map(seed -> token(realm, seed)).toList());
      if (!there.isEmpty()) {
        reject(batch, there, rejected);
        batch = batch.stream().filter(seed -> !there.contains(seed.serial())).toList();
        for (Seed seed : batch) {
          Set<String> again = tokens.add(realm, List.of(token(realm, seed)));
          reject(List.of(seed), again, rejected);
          imported += again.isEmpty() ? 1 : 0;
        }
      } else {
        imported += batch.size();
      }
      progress.at(from + batch.size(), usable.size());
    }
    return imported;
  }

  private static void reject(List<Seed> seeds, Set<String> there, List<Rejected> rejected) {
    for (Seed seed : seeds) {
      if (there.contains(seed.serial())) {
        rejected.add(new Rejected(seed.number(), seed.serial(), IN_USE));
      }
    }
  }
}
