#ifndef CACHE_H
#define CACHE_H

#include <map>
#include <string>

namespace example {
namespace detail {

template <typename T>
concept Loads = requires(T t) { t.load(); };

/// The larger one.
template <typename T>
T larger(const T &a, const T &b) {
  return a < b ? b : a;
}

}  // namespace detail

struct Entry {
  std::string text;
  unsigned long age = 0;
};

using Entries = std::map<std::string, Entry>;

/// Keeps what was read.
template <typename Source>
class Cache final : public Base {
 public:
  explicit Cache(Source source) : source_(std::move(source)) {}

  ~Cache() override { entries_.clear(); }

  /// Reads through it.
  const Entry &read(const std::string &name) {
    auto found = entries_.find(name);
    if (found == entries_.end()) {
      Entry entry{source_.load(name)};
      found = entries_.emplace(name, std::move(entry)).first;
    }
    return found->second;
  }

  bool operator==(const Cache &other) const {
    return entries_ == other.entries_;
  }

  template <typename Visit>
  void each(Visit visit) const {
    for (const auto &[name, entry] : entries_) {
      visit(name, entry);
    }
  }

  void tick() {
    for (auto &[name, entry] : entries_) {
      entry.age += 1;
    }
    while (entries_.size() > 64) {
      auto oldest = entries_.begin();
      for (auto it = entries_.begin(); it != entries_.end(); ++it) {
        if (it->second.age > oldest->second.age) {
          oldest = it;
        }
      }
      entries_.erase(oldest);
    }
  }

  void forget(const std::string &name) {
    auto found = entries_.find(name);
    if (found == entries_.end()) {
      return;
    }
    entries_.erase(found);
    tick();
  }

  Entries take() {
    Entries taken = std::move(entries_);
    entries_.clear();
    return taken;
  }

  size_t size() const;
  bool empty() const;

 private:
  Source source_;
  Entries entries_;
};

void Printer::print(const Entry &entry) {
  out_ << entry.text << '\n';
}

extern "C" int cache_open(const char *path) {
  return path != nullptr;
}

}  // namespace example

#endif
