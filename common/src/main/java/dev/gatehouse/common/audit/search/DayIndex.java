package dev.gatehouse.common.audit.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BooleanSupplier;

/**
 * The events of one day: parts in files, and the newest in memory until they are a part, too. One thread adds events in the order of
 * their numbers; others search meanwhile. {@link DayIndexes} sees to it that nobody searches while parts change.
 */
final class DayIndex {

  /** So many neighbours that are not smaller than what follows them are merged; fewer when the day is over. */
  private static final int MERGED_AT_ONCE = 4;

  /**
   * What a search in one day found.
   *
   * @param stopped where it stopped because it was late; empty if it found enough or looked at everything
   */
  record Answer(List<Found> found, Optional<AuditQuery.Cursor> stopped) {}

  private List<PartName> names;
  private List<Part> parts = List.of();
  private boolean isOpen;
  private final NavigableSet<EventRow> recent = new ConcurrentSkipListSet<>(EventRow.NEWEST_FIRST);

  /** @param names of its parts, in the order of their events */
  DayIndex(List<PartName> names) {
    this.names = List.copyOf(names);
  }

  boolean isOpen() {
    return isOpen;
  }

  boolean isEmpty() {
    return names.isEmpty() && recent.isEmpty();
  }

  /** Maps the parts. */
  void open(Path folder) throws IOException {
    List<Part> opened = new ArrayList<>();
    for (PartName name : names) {
      opened.add(Part.open(folder.resolve(name.toString())));
    }
    parts = List.copyOf(opened);
    isOpen = true;
  }

  /** Adds events; those that are in a part already are left out. */
  void add(List<EventRow> rows) {
    long last = parts.stream().mapToLong(Part::lastSeq).max().orElse(0);
    rows.stream().filter(row -> row.seq() > last).forEach(recent::add);
  }

  /** Returns the number of the last event up to which all are in parts; 0 if no part says it. */
  long followed() {
    return parts.stream().mapToLong(Part::followed).max().orElse(0);
  }

  /** Returns the events that are in memory only, the newest first. */
  List<EventRow> recent() {
    return List.copyOf(recent);
  }

  int recentSize() {
    return recent.size();
  }

  /** Returns neighbours that shall become one part; none if no more have to. */
  List<Part> mergeable(boolean isOver) {
    int enough = isOver ? 2 : MERGED_AT_ONCE;
    for (int last = parts.size(); last >= enough; last--) {
      int first = last - 1;
      long events = parts.get(first).events();
      while (first > 0 && isMergedWith(parts.get(first - 1), events, isOver)) {
        first--;
        events += parts.get(first).events();
      }
      if (last - first >= enough) {
        return parts.subList(first, last);
      }
    }
    return List.of();
  }

  private static boolean isMergedWith(Part before, long events, boolean isOver) {
    return before.events() + events <= PartWriter.MOST_EVENTS && (isOver || before.events() <= events);
  }

  /** Takes a part into use in the place of others, or of what was in memory only. */
  void replace(List<Part> replaced, PartName name, Part part) throws IOException {
    List<Part> changed = new ArrayList<>(parts);
    List<PartName> changedNames = new ArrayList<>(names);
    int at = replaced.isEmpty() ? parts.size() : parts.indexOf(replaced.getFirst());
    changed.subList(at, at + replaced.size()).clear();
    changedNames.subList(at, at + replaced.size()).clear();
    changed.add(at, part);
    changedNames.add(at, name);
    parts = List.copyOf(changed);
    names = List.copyOf(changedNames);
    if (replaced.isEmpty()) {
      recent.clear();
    }
    for (Part former : List.copyOf(replaced)) {
      former.close();
      Files.deleteIfExists(former.file());
    }
  }

  /** Returns events, the newest first. */
  Answer find(AuditQuery query, int most, BooleanSupplier isLate) {
    PriorityQueue<EventScan> scans = new PriorityQueue<>(Comparator.comparing(scan -> scan.event().cursor()));
    List<Long> keys = query.keys();
    parts.forEach(part -> begin(PartScan.of(part, keys, query), scans));
    begin(RecentScan.of(recent, keys, query, most), scans);
    List<Found> found = new ArrayList<>();
    while (found.size() < most && !scans.isEmpty()) {
      EventScan scan = scans.remove();
      Found event = scan.event();
      if (scan.isMatch()) {
        found.add(event);
      }
      if (isLate.getAsBoolean()) {
        return new Answer(found, Optional.of(event.cursor()));
      }
      begin(scan, scans);
    }
    return new Answer(found, Optional.empty());
  }

  private static void begin(EventScan scan, PriorityQueue<EventScan> scans) {
    if (scan.advance()) {
      scans.add(scan);
    }
  }

  /** Returns the names of all parts, in the order of their events. */
  List<PartName> names() {
    return names;
  }

  void close() {
    parts.forEach(Part::close);
    parts = List.of();
    isOpen = false;
  }
}
