// A board of m rows and n columns: 0 is an empty square, -1 an obstacle, others are moves of a tour.
#pragma once
#include <iosfwd>
#include <vector>

struct Square {
    int i, j;
};

bool operator==(const Square& s, const Square& r);

Square move(const Square& s, int d);      // direction d, 1 to 8
Square moveBack(const Square& s, int d);  // where direction d comes from

class Board {
public:
    explicit Board(std::istream& in);
    bool inRange(const Square& s) const;
    int get(const Square& s) const;
    void set(const Square& s, int v);
    int nEmpty() const;
    Square emptySquare() const;
    int waysOn(const Square& s) const;
    bool hasDeadEnd(const Square& start, const Square& here) const;
    friend std::ostream& operator<<(std::ostream& out, const Board& board);

private:
    int m = 0, n = 0;
    std::vector<std::vector<int>> rows;
};
